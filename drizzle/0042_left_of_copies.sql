-- What is left of a copy gets a mark of its own: it lies where an item was that lives on elsewhere. What the oldest schema knew and
-- no scan has ever found looked the same, and is missing.
UPDATE `media_items` SET `modified_at` = -1
WHERE `missing_since` IS NOT NULL AND `identity` IS NULL AND `content_hash` IS NULL AND `modified_at` = 0
	AND EXISTS (SELECT 1 FROM `former_keys` WHERE `former_keys`.`item_key` = `media_items`.`item_key` AND `former_keys`.`item_id` <> `media_items`.`id`);
