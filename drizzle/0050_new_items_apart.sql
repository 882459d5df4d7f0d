-- Items of a first scan stay out of these until the background puts them in. All that are there now are in them, as before.
DROP INDEX `media_items_uninspected`;
--> statement-breakpoint
DROP INDEX `media_items_playable`;
--> statement-breakpoint
DROP INDEX `media_items_unrendered`;
--> statement-breakpoint
ALTER TABLE `media_items` ADD `is_new` integer DEFAULT false NOT NULL;
--> statement-breakpoint
CREATE INDEX `media_items_uninspected` ON `media_items` (`library_id`,`id`) WHERE NOT is_new AND inspected_version IS NULL AND missing_since IS NULL;
--> statement-breakpoint
CREATE INDEX `media_items_playable` ON `media_items` (`id`) WHERE NOT is_new AND media_kind IN ('video', 'audio') AND missing_since IS NULL;
--> statement-breakpoint
CREATE INDEX `media_items_unrendered` ON `media_items` (`id`) WHERE NOT is_new AND entry IS NULL;
--> statement-breakpoint
ALTER TABLE `libraries` ADD `new_after` integer;
