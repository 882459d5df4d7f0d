-- Names of series, which stand with all names as well: a search finds them before what is in them (src/db/search-index.ts).
CREATE VIRTUAL TABLE `search_series` USING fts5(title, content='', contentless_delete=1, tokenize='trigram case_sensitive 1');
--> statement-breakpoint
DROP TRIGGER `search_delete`;
--> statement-breakpoint
CREATE TRIGGER `search_delete` AFTER DELETE ON `media_items`
WHEN old.`id` <= (SELECT `indexed_up_to` FROM `search_state`)
BEGIN
	DELETE FROM `search_titles` WHERE `rowid` = old.`id`;
	DELETE FROM `search_series` WHERE `rowid` = old.`id`;
	DELETE FROM `search_texts` WHERE `rowid` >= old.`id` * 1024 AND `rowid` < old.`id` * 1024 + 1024;
	DELETE FROM `search_stale` WHERE `item_id` = old.`id`;
END;
--> statement-breakpoint
-- Those that are known by now come into the table like names that have changed.
INSERT INTO `search_stale` (`item_id`) SELECT `id` FROM `media_items`
WHERE `item_type` IN ('game_series', 'tv_series', 'manga_series') AND `id` <= (SELECT `indexed_up_to` FROM `search_state`)
	AND `id` NOT IN (SELECT `item_id` FROM `search_stale`);
