-- Databases that migrated while 0016 said INSERT OR IGNORE: an upsert that fires the trigger takes that over as its own
-- way out, and a second change before the tables are renewed made a whole scan fail.
DROP TRIGGER `search_stale_update`;
--> statement-breakpoint
CREATE TRIGGER `search_stale_update` AFTER UPDATE OF `title`, `plot`, `description`, `extracted_text`, `translation` ON `media_items`
WHEN (new.`title` IS NOT old.`title` OR new.`plot` IS NOT old.`plot` OR new.`description` IS NOT old.`description`
	OR new.`extracted_text` IS NOT old.`extracted_text` OR new.`translation` IS NOT old.`translation`)
	AND new.`id` <= (SELECT `indexed_up_to` FROM `search_state`)
BEGIN
	INSERT INTO `search_stale` (`item_id`) SELECT new.`id` WHERE NOT EXISTS (SELECT 1 FROM `search_stale` WHERE `item_id` = new.`id`);
END;
