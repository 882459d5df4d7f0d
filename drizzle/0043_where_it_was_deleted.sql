ALTER TABLE `deletions` ADD `root_path` text;
--> statement-breakpoint
UPDATE `deletions` SET `root_path` = (SELECT `real_path` FROM `libraries` WHERE `libraries`.`id` = `library_id`);
