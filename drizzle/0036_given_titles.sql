ALTER TABLE `media_items` ADD `title_given` integer DEFAULT false NOT NULL;
--> statement-breakpoint
ALTER TABLE `media_items` ADD `sort_title_given` integer DEFAULT false NOT NULL;
--> statement-breakpoint
-- Of a title from before nobody knows whether the file gave it: none is lost. The next refresh tells.
UPDATE `media_items` SET `title_given` = true, `sort_title_given` = true WHERE `nfo_refreshed_at` IS NOT NULL;
