-- A series had the length of the episode whose picture it shows, and what shows a poster, or nothing, had none.
UPDATE `media_items` SET `duration_seconds` = NULL WHERE `duration_seconds` IS NOT NULL AND `item_type` IN ('tv_series', 'tv_season');
--> statement-breakpoint
UPDATE `media_items` SET `duration_seconds` = `looked`.`seconds`
FROM (SELECT `item_id`, `item_modified_at`, `probe` ->> '$.durationSeconds' AS `seconds` FROM `media_probes` WHERE `file` = '') AS `looked`
WHERE `media_items`.`id` = `looked`.`item_id` AND `media_items`.`modified_at` = `looked`.`item_modified_at`
	AND `media_items`.`duration_seconds` IS NULL AND `looked`.`seconds` > 0;
