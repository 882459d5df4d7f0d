ALTER TABLE `media_items` ADD `taken_at` integer;
--> statement-breakpoint
-- The background reads when pictures and videos of mixed libraries were taken; their thumbnails stay.
UPDATE `media_items` SET `inspected_version` = NULL WHERE `item_type` = 'mixed_file' AND `thumbnail_kind` IN ('image', 'video');
