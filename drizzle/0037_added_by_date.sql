DROP INDEX `media_items_by_added`;
--> statement-breakpoint
CREATE INDEX `media_items_by_added` ON `media_items` (`library_id`,`parent_id`,`added_at`,`modified_at`,`id`) WHERE missing_since IS NULL;
