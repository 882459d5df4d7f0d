-- Names and long texts, folded by src/db/search-index.ts: SQLite cannot fold accents, and a trigram needs three characters,
-- so that names get a mark before them and two behind. The folded text itself is not kept.
DROP TRIGGER `media_items_fts_update`;
--> statement-breakpoint
DROP TRIGGER `media_items_fts_delete`;
--> statement-breakpoint
DROP TABLE `media_items_fts`;
--> statement-breakpoint
CREATE VIRTUAL TABLE `search_titles` USING fts5(title, content='', contentless_delete=1, tokenize='trigram case_sensitive 1');
--> statement-breakpoint
-- A row holds a piece of an item's texts: its rowid is 1024 times the item's id, and the number of the piece. The title
-- stands with each, for words of which some are in the title and some in the text.
CREATE VIRTUAL TABLE `search_texts` USING fts5(title, text, content='', contentless_delete=1, tokenize='trigram case_sensitive 1');
--> statement-breakpoint
-- What characters of a table stand together: one or two of them are looked up here.
CREATE VIRTUAL TABLE `search_titles_terms` USING fts5vocab('search_titles', 'instance');
--> statement-breakpoint
CREATE VIRTUAL TABLE `search_texts_terms` USING fts5vocab('search_texts', 'instance');
--> statement-breakpoint
UPDATE `search_state` SET `indexed_up_to` = 0;
--> statement-breakpoint
-- Items whose texts have changed since they were indexed.
CREATE TABLE `search_stale` (`item_id` INTEGER PRIMARY KEY NOT NULL);
--> statement-breakpoint
CREATE TRIGGER `search_stale_update` AFTER UPDATE OF `title`, `plot`, `description`, `extracted_text`, `translation` ON `media_items`
WHEN (new.`title` IS NOT old.`title` OR new.`plot` IS NOT old.`plot` OR new.`description` IS NOT old.`description`
	OR new.`extracted_text` IS NOT old.`extracted_text` OR new.`translation` IS NOT old.`translation`)
	AND new.`id` <= (SELECT `indexed_up_to` FROM `search_state`)
BEGIN
	-- Not OR IGNORE: the upsert of a scan that fires this would take its place, and fail.
	INSERT INTO `search_stale` (`item_id`) SELECT new.`id` WHERE NOT EXISTS (SELECT 1 FROM `search_stale` WHERE `item_id` = new.`id`);
END;
--> statement-breakpoint
CREATE TRIGGER `search_delete` AFTER DELETE ON `media_items`
WHEN old.`id` <= (SELECT `indexed_up_to` FROM `search_state`)
BEGIN
	DELETE FROM `search_titles` WHERE `rowid` = old.`id`;
	DELETE FROM `search_texts` WHERE `rowid` >= old.`id` * 1024 AND `rowid` < old.`id` * 1024 + 1024;
	DELETE FROM `search_stale` WHERE `item_id` = old.`id`;
END;
