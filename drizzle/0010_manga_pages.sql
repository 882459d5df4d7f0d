CREATE TABLE `manga_pages` (
	`item_id` integer PRIMARY KEY NOT NULL,
	`version` text NOT NULL,
	`sizes` text NOT NULL,
	FOREIGN KEY (`item_id`) REFERENCES `media_items`(`id`) ON UPDATE no action ON DELETE cascade
);
