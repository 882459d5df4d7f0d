-- The path of a mixed file was stored four times: as `path`, and again as three others. What is the item's own path is stored as an empty
-- text from now on, which no file has for a path, and the old names give the whole paths as before.
-- Renamed rather than dropped: to drop a column in a transaction SQLite keeps a copy of the whole table in memory. In views and
-- triggers that somebody made for themselves the names mean what they did: they are put back as they were. A libSQL server does not
-- take that, and has the names in them changed.
CREATE TABLE `__definitions_before` AS SELECT `type`, `name`, `sql` FROM `sqlite_schema` WHERE `type` IN ('view', 'trigger');
--> statement-breakpoint
-- So that a view that leads nowhere does not stop it.
PRAGMA writable_schema = ON;
--> statement-breakpoint
ALTER TABLE `media_items` RENAME COLUMN `file_path` TO `stored_file_path`;
--> statement-breakpoint
ALTER TABLE `media_items` RENAME COLUMN `main_file` TO `stored_main_file`;
--> statement-breakpoint
ALTER TABLE `media_items` RENAME COLUMN `thumbnail_path` TO `stored_thumbnail_path`;
--> statement-breakpoint
UPDATE `media_items` SET `stored_file_path` = iif(`stored_file_path` = `path`, '', `stored_file_path`),
	`stored_main_file` = iif(`stored_main_file` = `path`, '', `stored_main_file`),
	`stored_thumbnail_path` = iif(`stored_thumbnail_path` = `path`, '', `stored_thumbnail_path`)
WHERE `path` IN (`stored_file_path`, `stored_main_file`, `stored_thumbnail_path`);
--> statement-breakpoint
ALTER TABLE `media_items` ADD `file_path` text GENERATED ALWAYS AS (iif(stored_file_path = '', path, stored_file_path)) VIRTUAL;
--> statement-breakpoint
ALTER TABLE `media_items` ADD `main_file` text GENERATED ALWAYS AS (iif(stored_main_file = '', path, stored_main_file)) VIRTUAL;
--> statement-breakpoint
ALTER TABLE `media_items` ADD `thumbnail_path` text GENERATED ALWAYS AS (iif(stored_thumbnail_path = '', path, stored_thumbnail_path)) VIRTUAL;
--> statement-breakpoint
UPDATE `sqlite_schema` SET `sql` = `before`.`sql` FROM `__definitions_before` AS `before`
WHERE `before`.`type` = `sqlite_schema`.`type` AND `before`.`name` = `sqlite_schema`.`name` AND `before`.`sql` <> `sqlite_schema`.`sql`;
--> statement-breakpoint
PRAGMA writable_schema = RESET;
--> statement-breakpoint
DROP TABLE IF EXISTS `__definitions_before`;
