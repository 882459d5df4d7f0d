-- media_items.entry caches the item's browse entry: it goes whenever something that the entry is made of changes.
CREATE TRIGGER `media_items_entry_stale` AFTER UPDATE OF `item_key`, `parent_id`, `title`, `season_number`, `episode_number`, `episode_number_end`, `year`, `rating`, `media_kind`, `mime_type`, `size`, `width`, `height`, `duration_seconds`, `thumbhash`, `thumbnail_version`, `artwork`, `extracted_text`, `child_count`, `added_at` ON `media_items`
WHEN new.`entry` IS NOT NULL AND new.`entry` IS old.`entry`
BEGIN
	UPDATE `media_items` SET `entry` = NULL WHERE `id` = new.`id`;
END;
--> statement-breakpoint
CREATE TRIGGER `item_tags_entry_insert` AFTER INSERT ON `item_tags`
BEGIN
	UPDATE `media_items` SET `entry` = NULL WHERE `id` = new.`item_id` AND `entry` IS NOT NULL;
END;
--> statement-breakpoint
CREATE TRIGGER `item_tags_entry_delete` AFTER DELETE ON `item_tags`
BEGIN
	UPDATE `media_items` SET `entry` = NULL WHERE `id` = old.`item_id` AND `entry` IS NOT NULL;
END;
--> statement-breakpoint
CREATE TRIGGER `item_tags_entry_update` AFTER UPDATE OF `tag_id`, `item_id` ON `item_tags`
BEGIN
	UPDATE `media_items` SET `entry` = NULL WHERE `id` IN (old.`item_id`, new.`item_id`) AND `entry` IS NOT NULL;
END;
