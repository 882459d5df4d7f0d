-- A part of a name is found whether or not it is typed with its accents. SQLite cannot fold them: what is not ASCII gets its
-- text from src/db/data-migrations/plain-names.ts, also `search_title` of `media_items`.
ALTER TABLE `tag_mappings` ADD `search_source` text DEFAULT '' NOT NULL;
--> statement-breakpoint
ALTER TABLE `tags` ADD `search_name` text DEFAULT '' NOT NULL;
--> statement-breakpoint
UPDATE `tag_mappings` SET `search_source` = `source_key`;
--> statement-breakpoint
UPDATE `tags` SET `search_name` = `name_key`;
