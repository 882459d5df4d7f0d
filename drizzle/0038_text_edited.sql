ALTER TABLE `media_items` ADD `text_edited` integer DEFAULT false NOT NULL;
--> statement-breakpoint
-- Whether a machine has replaced an edited text since, nobody knows: it stays its person's. An emptied one is nobody's.
UPDATE `media_items` SET `text_edited` = true WHERE `text_version` > 0 AND `extracted_text` <> '';
