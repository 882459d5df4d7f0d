-- As before, but an item without tags that goes missing, comes back or is deleted pays for one look only.
DROP TRIGGER `media_items_counts_update`;
--> statement-breakpoint
CREATE TRIGGER `media_items_counts_update` AFTER UPDATE OF `missing_since`, `library_id` ON `media_items`
WHEN ((new.`missing_since` IS NULL) <> (old.`missing_since` IS NULL) OR new.`library_id` <> old.`library_id`)
	AND EXISTS (SELECT 1 FROM `item_tags` WHERE `item_id` = new.`id`)
BEGIN
	UPDATE `library_tags` SET `assigned` = `assigned` - 1, `present` = `present` - (old.`missing_since` IS NULL)
	WHERE `library_id` = old.`library_id` AND `tag_id` IN (SELECT `tag_id` FROM `item_tags` WHERE `item_id` = new.`id`);
	INSERT INTO `library_tags` (`library_id`, `tag_id`, `assigned`, `present`)
	SELECT new.`library_id`, `tag_id`, 1, new.`missing_since` IS NULL FROM `item_tags` WHERE `item_id` = new.`id`
	ON CONFLICT (`library_id`, `tag_id`) DO UPDATE SET `assigned` = `assigned` + 1, `present` = `present` + excluded.`present`;
	INSERT INTO `tag_changes` (`tag_id`, `item_id`) SELECT `tag_id`, `item_id` FROM `item_tags` WHERE `item_id` = new.`id`;
END;
--> statement-breakpoint
DROP TRIGGER `media_items_counts_delete`;
--> statement-breakpoint
CREATE TRIGGER `media_items_counts_delete` BEFORE DELETE ON `media_items`
WHEN EXISTS (SELECT 1 FROM `item_tags` WHERE `item_id` = old.`id`)
BEGIN
	UPDATE `library_tags` SET `assigned` = `assigned` - 1, `present` = `present` - (old.`missing_since` IS NULL)
	WHERE `library_id` = old.`library_id` AND `tag_id` IN (SELECT `tag_id` FROM `item_tags` WHERE `item_id` = old.`id`);
END;
