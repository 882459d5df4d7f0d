ALTER TABLE `media_items` ADD `dated_at` integer GENERATED ALWAYS AS (coalesce(taken_at, named_at, modified_at)) VIRTUAL;
--> statement-breakpoint
-- What had come to another library before it was put into the indexes of the background stayed out of them where its first library was deleted.
UPDATE `media_items` SET `is_new` = false WHERE `is_new` AND `library_id` IN (SELECT `id` FROM `libraries` WHERE `new_after` IS NULL);
--> statement-breakpoint
CREATE INDEX `media_items_by_taken` ON `media_items` (`library_id`,`parent_id`,`dated_at`) WHERE NOT is_new AND missing_since IS NULL;
