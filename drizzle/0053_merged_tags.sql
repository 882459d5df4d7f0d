CREATE TABLE `merged_tags` (
	`tag_id` integer PRIMARY KEY NOT NULL,
	`into_tag_id` integer NOT NULL,
	FOREIGN KEY (`into_tag_id`) REFERENCES `tags`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `merged_tags_into` ON `merged_tags` (`into_tag_id`);