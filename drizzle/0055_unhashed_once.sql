-- A file that had got another name beside an unchanged size and time lost its hash, and counted as read. It is read once more: what
-- can be read has a hash from then on, and what cannot never counts as read.
UPDATE `media_items` SET `inspected_version` = NULL
WHERE `inspected_version` IS NOT NULL AND `content_hash` IS NULL AND `main_file` IS NOT NULL;
