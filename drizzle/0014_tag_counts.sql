CREATE TABLE `library_tags` (
	`library_id` integer NOT NULL,
	`tag_id` integer NOT NULL,
	`assigned` integer DEFAULT 0 NOT NULL,
	`present` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`library_id`, `tag_id`),
	FOREIGN KEY (`library_id`) REFERENCES `libraries`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`tag_id`) REFERENCES `tags`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `library_tags_tag` ON `library_tags` (`tag_id`,`library_id`);
--> statement-breakpoint
CREATE TABLE `tag_changes` (
	`id` integer PRIMARY KEY NOT NULL,
	`tag_id` integer NOT NULL,
	`item_id` integer NOT NULL
);
--> statement-breakpoint
INSERT INTO `library_tags` (`library_id`, `tag_id`, `assigned`, `present`)
SELECT `media_items`.`library_id`, `item_tags`.`tag_id`, count(*), sum(`media_items`.`missing_since` IS NULL)
FROM `item_tags` JOIN `media_items` ON `media_items`.`id` = `item_tags`.`item_id` GROUP BY 1, 2;
--> statement-breakpoint
CREATE TRIGGER `item_tags_counts_insert` AFTER INSERT ON `item_tags`
BEGIN
	INSERT INTO `library_tags` (`library_id`, `tag_id`, `assigned`, `present`)
	SELECT `library_id`, new.`tag_id`, 1, `missing_since` IS NULL FROM `media_items` WHERE `id` = new.`item_id`
	ON CONFLICT (`library_id`, `tag_id`) DO UPDATE SET `assigned` = `assigned` + 1, `present` = `present` + excluded.`present`;
	INSERT INTO `tag_changes` (`tag_id`, `item_id`) VALUES (new.`tag_id`, new.`item_id`);
END;
--> statement-breakpoint
-- Where the item itself goes it has no row any more by now: media_items_counts_delete has done the counting.
CREATE TRIGGER `item_tags_counts_delete` AFTER DELETE ON `item_tags`
BEGIN
	UPDATE `library_tags` SET `assigned` = `assigned` - 1,
		`present` = `present` - (SELECT `missing_since` IS NULL FROM `media_items` WHERE `id` = old.`item_id`)
	WHERE `tag_id` = old.`tag_id` AND `library_id` = (SELECT `library_id` FROM `media_items` WHERE `id` = old.`item_id`);
	INSERT INTO `tag_changes` (`tag_id`, `item_id`) VALUES (old.`tag_id`, old.`item_id`);
END;
--> statement-breakpoint
CREATE TRIGGER `item_tags_counts_update` AFTER UPDATE OF `tag_id`, `item_id` ON `item_tags`
BEGIN
	UPDATE `library_tags` SET `assigned` = `assigned` - 1,
		`present` = `present` - (SELECT `missing_since` IS NULL FROM `media_items` WHERE `id` = old.`item_id`)
	WHERE `tag_id` = old.`tag_id` AND `library_id` = (SELECT `library_id` FROM `media_items` WHERE `id` = old.`item_id`);
	INSERT INTO `library_tags` (`library_id`, `tag_id`, `assigned`, `present`)
	SELECT `library_id`, new.`tag_id`, 1, `missing_since` IS NULL FROM `media_items` WHERE `id` = new.`item_id`
	ON CONFLICT (`library_id`, `tag_id`) DO UPDATE SET `assigned` = `assigned` + 1, `present` = `present` + excluded.`present`;
	INSERT INTO `tag_changes` (`tag_id`, `item_id`) VALUES (old.`tag_id`, old.`item_id`), (new.`tag_id`, new.`item_id`);
END;
--> statement-breakpoint
CREATE TRIGGER `media_items_counts_update` AFTER UPDATE OF `missing_since`, `library_id` ON `media_items`
WHEN (new.`missing_since` IS NULL) <> (old.`missing_since` IS NULL) OR new.`library_id` <> old.`library_id`
BEGIN
	UPDATE `library_tags` SET `assigned` = `assigned` - 1, `present` = `present` - (old.`missing_since` IS NULL)
	WHERE `library_id` = old.`library_id` AND `tag_id` IN (SELECT `tag_id` FROM `item_tags` WHERE `item_id` = new.`id`);
	INSERT INTO `library_tags` (`library_id`, `tag_id`, `assigned`, `present`)
	SELECT new.`library_id`, `tag_id`, 1, new.`missing_since` IS NULL FROM `item_tags` WHERE `item_id` = new.`id`
	ON CONFLICT (`library_id`, `tag_id`) DO UPDATE SET `assigned` = `assigned` + 1, `present` = `present` + excluded.`present`;
	INSERT INTO `tag_changes` (`tag_id`, `item_id`) SELECT `tag_id`, `item_id` FROM `item_tags` WHERE `item_id` = new.`id`;
END;
--> statement-breakpoint
CREATE TRIGGER `media_items_counts_delete` BEFORE DELETE ON `media_items`
BEGIN
	UPDATE `library_tags` SET `assigned` = `assigned` - 1, `present` = `present` - (old.`missing_since` IS NULL)
	WHERE `library_id` = old.`library_id` AND `tag_id` IN (SELECT `tag_id` FROM `item_tags` WHERE `item_id` = old.`id`);
END;
