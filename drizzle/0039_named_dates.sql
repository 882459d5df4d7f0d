ALTER TABLE `media_items` ADD `named_at` integer;
