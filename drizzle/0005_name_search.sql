CREATE VIRTUAL TABLE `media_items_fts` USING fts5(`search_title`, content='media_items', content_rowid='id', tokenize='trigram');
--> statement-breakpoint
-- Items up to this id are in the full-text table; src/db/search-index.ts adds the later ones, so that a scan does not pay for it.
CREATE TABLE `search_state` (`indexed_up_to` INTEGER NOT NULL);
--> statement-breakpoint
INSERT INTO `search_state` (`indexed_up_to`) VALUES (0);
--> statement-breakpoint
CREATE TRIGGER `media_items_fts_update` AFTER UPDATE OF `search_title` ON `media_items`
WHEN new.`search_title` IS NOT old.`search_title` AND new.`id` <= (SELECT `indexed_up_to` FROM `search_state`)
BEGIN
	INSERT INTO `media_items_fts` (`media_items_fts`, `rowid`, `search_title`) VALUES ('delete', old.`id`, old.`search_title`);
	INSERT INTO `media_items_fts` (`rowid`, `search_title`) VALUES (new.`id`, new.`search_title`);
END;
--> statement-breakpoint
CREATE TRIGGER `media_items_fts_delete` AFTER DELETE ON `media_items`
WHEN old.`id` <= (SELECT `indexed_up_to` FROM `search_state`)
BEGIN
	INSERT INTO `media_items_fts` (`media_items_fts`, `rowid`, `search_title`) VALUES ('delete', old.`id`, old.`search_title`);
END;
