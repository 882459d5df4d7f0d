CREATE TABLE `deletions` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`library_id` integer NOT NULL,
	`item_id` integer,
	`item_key` text NOT NULL,
	`item_type` text NOT NULL,
	`title` text NOT NULL,
	`unit` text NOT NULL,
	`folder` text NOT NULL,
	`holding` text NOT NULL,
	`state` text NOT NULL,
	`files` integer NOT NULL,
	`bytes` integer NOT NULL,
	`trash_until` integer,
	`created_by` text NOT NULL,
	`at` integer NOT NULL,
	FOREIGN KEY (`library_id`) REFERENCES `libraries`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`item_id`) REFERENCES `media_items`(`id`) ON UPDATE no action ON DELETE set null,
	CONSTRAINT "deletions_state" CHECK(state IN ('moving', 'removing', 'trashed', 'restoring'))
);
--> statement-breakpoint
CREATE INDEX `deletions_library` ON `deletions` (`library_id`,`id`);--> statement-breakpoint
CREATE INDEX `deletions_item` ON `deletions` (`item_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `deletions_one_at_a_time` ON `deletions` (`library_id`,`folder`) WHERE state IN ('moving', 'restoring');