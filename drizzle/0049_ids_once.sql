-- An index ends in the id of its row by itself: written out it stood there twice.
DROP INDEX `media_items_by_title`;
--> statement-breakpoint
DROP INDEX `media_items_by_added`;
--> statement-breakpoint
CREATE INDEX `media_items_by_title` ON `media_items` (`library_id`,`parent_id`,`sort_title`) WHERE missing_since IS NULL;
--> statement-breakpoint
CREATE INDEX `media_items_by_added` ON `media_items` (`library_id`,`parent_id`,`added_at`,`modified_at`) WHERE missing_since IS NULL;
