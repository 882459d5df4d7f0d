CREATE TABLE `progress` (
	`user_id` integer NOT NULL,
	`item_id` integer NOT NULL,
	`position_seconds` real,
	`duration_seconds` real,
	`page` integer,
	`completed` integer DEFAULT false NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`user_id`, `item_id`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`item_id`) REFERENCES `media_items`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `progress_recent` ON `progress` (`user_id`,`updated_at`);
--> statement-breakpoint
CREATE INDEX `progress_item` ON `progress` (`item_id`);
--> statement-breakpoint
CREATE TABLE `tag_mappings` (
	`source_key` text PRIMARY KEY NOT NULL,
	`source` text NOT NULL,
	`tag_id` integer NOT NULL,
	FOREIGN KEY (`tag_id`) REFERENCES `tags`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `tag_mappings_tag` ON `tag_mappings` (`tag_id`);
