-- Times of files that are no dates made every reading of their rows fail: they become what a scan makes of them now.
UPDATE `media_items` SET `modified_at` = max(min(`modified_at`, 8640000000000000), -8640000000000000) WHERE `modified_at` NOT BETWEEN -8640000000000000 AND 8640000000000000;
--> statement-breakpoint
UPDATE `media_items` SET `nfo_modified_at` = max(min(`nfo_modified_at`, 8640000000000000), -8640000000000000) WHERE `nfo_modified_at` NOT BETWEEN -8640000000000000 AND 8640000000000000;
--> statement-breakpoint
UPDATE `media_probes` SET `item_modified_at` = max(min(`item_modified_at`, 8640000000000000), -8640000000000000) WHERE `item_modified_at` NOT BETWEEN -8640000000000000 AND 8640000000000000;
