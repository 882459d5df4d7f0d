-- What an older version could make no picture of, this one may be able to: it is tried once more. What older versions did not
-- hash because its picture was there already is hashed. Entries that were kept with a picture that there is not go.
UPDATE `media_items` SET `inspected_version` = NULL, `inspect_error` = NULL, `entry` = CASE WHEN `inspect_error` IS NULL THEN `entry` END
WHERE `inspect_error` IS NOT NULL OR (`inspected_version` IS NOT NULL AND `content_hash` IS NULL AND `main_file` IS NOT NULL);
--> statement-breakpoint
-- A library could be set to ask for new items before there was a queue, and without a time since when: what it holds is not new.
UPDATE `libraries` SET `ai_on_scan_since` = (SELECT coalesce(max(`added_at`), 0) FROM `media_items` WHERE `library_id` = `libraries`.`id`)
WHERE `ai_on_scan_since` = 0 AND `ai_on_scan` <> '[]';
