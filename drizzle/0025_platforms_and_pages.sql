-- An entry of a game says the platforms of its files from now on, one of a volume its pages: it goes when they change.
DROP TRIGGER `media_items_entry_stale`;
--> statement-breakpoint
CREATE TRIGGER `media_items_entry_stale` AFTER UPDATE OF `item_key`, `parent_id`, `title`, `season_number`, `episode_number`, `episode_number_end`, `year`, `rating`, `media_kind`, `mime_type`, `size`, `width`, `height`, `duration_seconds`, `thumbhash`, `thumbnail_version`, `artwork`, `extracted_text`, `child_count`, `added_at`, `files`, `page_count` ON `media_items`
WHEN new.`entry` IS NOT NULL AND new.`entry` IS old.`entry`
BEGIN
	UPDATE `media_items` SET `entry` = NULL WHERE `id` = new.`id`;
END;
--> statement-breakpoint
-- Those that were kept are made anew. They are found by their libraries: to look for them by type would read every row.
UPDATE `media_items` SET `entry` = NULL WHERE `library_id` IN (SELECT `id` FROM `libraries` WHERE `type` IN ('games', 'manga'))
	AND `item_type` IN ('game', 'manga_volume') AND `entry` IS NOT NULL;
