CREATE TABLE `scans` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`library_id` integer NOT NULL,
	`trigger` text NOT NULL,
	`status` text NOT NULL,
	`phase` text,
	`found` integer DEFAULT 0 NOT NULL,
	`added` integer DEFAULT 0 NOT NULL,
	`updated` integer DEFAULT 0 NOT NULL,
	`moved` integer DEFAULT 0 NOT NULL,
	`missing` integer DEFAULT 0 NOT NULL,
	`restored` integer DEFAULT 0 NOT NULL,
	`warning_count` integer DEFAULT 0 NOT NULL,
	`warnings` text DEFAULT '[]' NOT NULL,
	`error` text,
	`owner` text,
	`lease_until` integer,
	`created_at` integer NOT NULL,
	`started_at` integer,
	`finished_at` integer,
	FOREIGN KEY (`library_id`) REFERENCES `libraries`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "scans_trigger" CHECK("trigger" IN ('manual', 'scheduled', 'startup')),
	CONSTRAINT "scans_status" CHECK(status IN ('queued', 'running', 'done', 'failed', 'cancelled', 'interrupted', 'held'))
);
--> statement-breakpoint
CREATE INDEX `scans_library` ON `scans` (`library_id`,`id`);
--> statement-breakpoint
CREATE UNIQUE INDEX `scans_one_active` ON `scans` (`library_id`) WHERE status IN ('queued', 'running');
--> statement-breakpoint
CREATE TABLE `scan_units` (
	`library_id` integer NOT NULL,
	`path` text NOT NULL,
	`signature` text NOT NULL,
	PRIMARY KEY(`library_id`, `path`),
	FOREIGN KEY (`library_id`) REFERENCES `libraries`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `scan_losses` (
	`scan_id` integer NOT NULL,
	`item_id` integer NOT NULL,
	PRIMARY KEY(`scan_id`, `item_id`),
	FOREIGN KEY (`scan_id`) REFERENCES `scans`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`item_id`) REFERENCES `media_items`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `scan_losses_item` ON `scan_losses` (`item_id`);
--> statement-breakpoint
-- Items of older databases: a scan finds what is gone by the units that it knows.
INSERT INTO `scan_units` (`library_id`, `path`, `signature`) SELECT DISTINCT `library_id`, `unit`, '' FROM `media_items`;
