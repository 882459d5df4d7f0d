CREATE TABLE `media_probes` (
	`item_id` integer NOT NULL,
	`file` text NOT NULL,
	`version` text NOT NULL,
	`item_modified_at` integer NOT NULL,
	`probe` text,
	PRIMARY KEY(`item_id`, `file`),
	FOREIGN KEY (`item_id`) REFERENCES `media_items`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `media_items_playable` ON `media_items` (`id`) WHERE media_kind IN ('video', 'audio') AND missing_since IS NULL;