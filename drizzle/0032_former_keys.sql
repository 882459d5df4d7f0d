-- Whoever has the old address of what has moved finds it.
CREATE TABLE `former_keys` (
	`item_key` text PRIMARY KEY NOT NULL,
	`item_id` integer NOT NULL,
	FOREIGN KEY (`item_id`) REFERENCES `media_items`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `former_keys_item` ON `former_keys` (`item_id`);
--> statement-breakpoint
-- A scan that lets items change places parks their keys meanwhile: that is where nothing ever lay.
CREATE TRIGGER `media_items_key_former` AFTER UPDATE OF `item_key` ON `media_items`
WHEN new.`item_key` <> old.`item_key` AND instr(old.`item_key`, '/#moving-') = 0
BEGIN
	INSERT INTO `former_keys` (`item_key`, `item_id`) VALUES (old.`item_key`, old.`id`)
		ON CONFLICT (`item_key`) DO UPDATE SET `item_id` = excluded.`item_id`;
END;
