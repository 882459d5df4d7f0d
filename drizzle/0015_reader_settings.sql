CREATE TABLE `reader_settings` (
	`user_id` integer NOT NULL,
	`item_id` integer NOT NULL,
	`settings` text NOT NULL,
	PRIMARY KEY(`user_id`, `item_id`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`item_id`) REFERENCES `media_items`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `reader_settings_item` ON `reader_settings` (`item_id`);