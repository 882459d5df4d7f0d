CREATE TABLE IF NOT EXISTS `migration_rejects` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`migration` text NOT NULL,
	`source_table` text NOT NULL,
	`reason` text NOT NULL,
	`row` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `__new_libraries` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`type` text NOT NULL,
	`path` text NOT NULL,
	`real_path` text,
	`scan_schedule` text,
	`trash_days` integer DEFAULT 0 NOT NULL,
	`ai_on_scan` text DEFAULT '[]' NOT NULL,
	`item_count` integer DEFAULT 0 NOT NULL,
	`created_at` integer DEFAULT 0 NOT NULL,
	CONSTRAINT "libraries_type" CHECK(type IN ('games', 'movies', 'tv', 'manga', 'mixed'))
);
--> statement-breakpoint
INSERT INTO `__new_libraries` (`id`, `name`, `type`, `path`, `created_at`)
SELECT `id`, `name`, `type`, `path`, CAST(unixepoch('subsec') * 1000 AS INTEGER) FROM `libraries`;
--> statement-breakpoint
INSERT INTO `migration_rejects` (`migration`, `source_table`, `reason`, `row`)
SELECT '0002_full_item_keys', 'media_items', 'orphaned',
	json_object('media_key', `media_key`, 'library_id', `library_id`, 'item_type', `item_type`, 'title', `title`, 'path', `path`, 'data', `data`)
FROM `media_items` WHERE `media_key` IS NULL OR `library_id` NOT IN (SELECT `id` FROM `libraries`);
--> statement-breakpoint
CREATE TABLE `__new_media_items` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`item_key` text NOT NULL,
	`library_id` integer NOT NULL,
	`item_type` text NOT NULL,
	`parent_id` integer,
	`path` text NOT NULL,
	`file_path` text,
	`unit` text DEFAULT '' NOT NULL,
	`title` text NOT NULL,
	`sort_title` text DEFAULT '' NOT NULL,
	`search_title` text DEFAULT '' NOT NULL,
	`sort_number` real,
	`season_number` integer,
	`episode_number` integer,
	`episode_number_end` integer,
	`volume_number` real,
	`chapter_number` real,
	`year` integer,
	`rating` real,
	`aired_at` text,
	`media_kind` text,
	`mime_type` text,
	`size` integer,
	`modified_at` integer DEFAULT 0 NOT NULL,
	`identity` integer,
	`main_file` text,
	`content_hash` text,
	`width` integer,
	`height` integer,
	`duration_seconds` real,
	`page_count` integer,
	`thumbhash` text,
	`thumbnail_kind` text,
	`thumbnail_path` text,
	`thumbnail_version` text,
	`inspected_version` text,
	`inspect_error` text,
	`child_count` integer DEFAULT 0 NOT NULL,
	`missing_since` integer,
	`added_at` integer DEFAULT 0 NOT NULL,
	`updated_at` integer DEFAULT 0 NOT NULL,
	`nfo_refreshed_at` integer,
	`nfo_path` text,
	`nfo_modified_at` integer,
	`runtime_minutes` integer,
	`files` text,
	`artwork` text,
	`genres` text,
	`ai_tagged_at` integer,
	`reading_direction` text,
	`entry` text,
	`data` text,
	`plot` text,
	`description` text,
	`extracted_text` text,
	`translation` text,
	`translation_stale` integer DEFAULT false NOT NULL,
	`text_version` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`library_id`) REFERENCES `libraries`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`parent_id`) REFERENCES `media_items`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "media_items_item_type" CHECK(item_type IN ('game', 'game_series', 'movie', 'tv_series', 'tv_season', 'tv_episode', 'manga_series', 'manga_volume', 'mixed_file'))
);
--> statement-breakpoint
-- Paths become relative to their library, and an item that bears the short key itself gets its full one.
INSERT INTO `__new_media_items` (`item_key`, `library_id`, `item_type`, `path`, `unit`, `title`, `added_at`, `updated_at`, `data`)
SELECT
	CASE
		WHEN `media_key` = `library_id` || ':' || substr(`path`, length(rtrim(`path`, replace(`path`, '/', ''))) + 1)
			AND NOT EXISTS (SELECT 1 FROM `media_items` AS `taken` WHERE `taken`.`media_key` = `item_type` || ':' || `library_id` || ':' || `item`.`path`)
		THEN `item_type` || ':' || `library_id` || ':' || `path`
		ELSE `media_key`
	END,
	`library_id`, `item_type`, `path`,
	CASE instr(`path`, '/') WHEN 0 THEN `path` ELSE substr(`path`, 1, instr(`path`, '/') - 1) END,
	`title`, CAST(unixepoch('subsec') * 1000 AS INTEGER), CAST(unixepoch('subsec') * 1000 AS INTEGER), `data`
FROM (
	SELECT `m`.`rowid` AS `row`, `m`.`media_key`, `m`.`library_id`, `m`.`item_type`, `m`.`title`, `m`.`data`,
		CASE WHEN substr(`m`.`path`, 1, length(`l`.`root`)) = `l`.`root` THEN substr(`m`.`path`, length(`l`.`root`) + 1) ELSE `m`.`path` END AS `path`
	FROM `media_items` AS `m` JOIN (SELECT `id`, rtrim(`path`, '/') || '/' AS `root` FROM `libraries`) AS `l` ON `l`.`id` = `m`.`library_id`
	WHERE `m`.`media_key` IS NOT NULL
) AS `item` ORDER BY `row`;
--> statement-breakpoint
-- Every text that may name an item: its full key, and the short key `<libraryId>:<last path segment>` of the oldest schema.
-- rtrim with every character but "/" as its second argument cuts a path after its last "/".
CREATE TABLE `__item_names` AS
SELECT `item_key` AS `name`, `id` AS `item_id` FROM `__new_media_items`
UNION
SELECT `library_id` || ':' || substr(rtrim(`path`, '/'), length(rtrim(rtrim(`path`, '/'), replace(`path`, '/', ''))) + 1), `id` FROM `__new_media_items`;
--> statement-breakpoint
CREATE TABLE `__named_items` AS SELECT `name`, count(*) AS `fits`, min(`item_id`) AS `item_id` FROM `__item_names` GROUP BY `name`;
--> statement-breakpoint
CREATE UNIQUE INDEX `__named_items_name` ON `__named_items` (`name`);
--> statement-breakpoint
CREATE TABLE `__new_tag_categories` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`name_key` text NOT NULL,
	`color` text
);
--> statement-breakpoint
-- The name keys need Unicode folding, which SQLite lacks: src/db/data-migrations sets them in the same transaction.
INSERT INTO `__new_tag_categories` (`id`, `name`, `name_key`) SELECT `id`, `name`, char(31) || `id` FROM `tag_categories`;
--> statement-breakpoint
INSERT INTO `migration_rejects` (`migration`, `source_table`, `reason`, `row`)
SELECT '0002_full_item_keys', 'tags', 'orphaned', json_object('id', `id`, 'category_id', `category_id`, 'name', `name`)
FROM `tags` WHERE `category_id` NOT IN (SELECT `id` FROM `tag_categories`);
--> statement-breakpoint
CREATE TABLE `__new_tags` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`category_id` integer NOT NULL,
	`name` text NOT NULL,
	`name_key` text NOT NULL,
	FOREIGN KEY (`category_id`) REFERENCES `tag_categories`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
INSERT INTO `__new_tags` (`id`, `category_id`, `name`, `name_key`)
SELECT `id`, `category_id`, `name`, char(31) || `id` FROM `tags` WHERE `category_id` IN (SELECT `id` FROM `tag_categories`);
--> statement-breakpoint
CREATE TABLE `__assignments` AS
SELECT `media_key`, `tag_id`, `item_id`,
	CASE
		WHEN `item_id` IS NULL OR `tag_id` NOT IN (SELECT `id` FROM `__new_tags`) THEN 'orphaned'
		WHEN `fits` > 1 THEN 'ambiguous'
		WHEN row_number() OVER (PARTITION BY `item_id`, `tag_id` ORDER BY `media_key`) > 1 THEN 'duplicate'
	END AS `reject_reason`
FROM `tag_assignments` LEFT JOIN `__named_items` ON `name` = `media_key`;
--> statement-breakpoint
INSERT INTO `migration_rejects` (`migration`, `source_table`, `reason`, `row`)
SELECT '0002_full_item_keys', 'tag_assignments', `reject_reason`, json_object('media_key', `media_key`, 'tag_id', `tag_id`)
FROM `__assignments` WHERE `reject_reason` IS NOT NULL;
--> statement-breakpoint
CREATE TABLE `item_tags` (
	`tag_id` integer NOT NULL,
	`item_id` integer NOT NULL,
	`source` text DEFAULT 'user' NOT NULL,
	`created_by` integer,
	`created_at` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`tag_id`, `item_id`),
	FOREIGN KEY (`tag_id`) REFERENCES `tags`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`item_id`) REFERENCES `media_items`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`created_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null,
	CONSTRAINT "item_tags_source" CHECK(source IN ('user', 'ai', 'import'))
) WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO `item_tags` (`tag_id`, `item_id`) SELECT `tag_id`, `item_id` FROM `__assignments` WHERE `reject_reason` IS NULL ORDER BY 1, 2;
--> statement-breakpoint
CREATE TABLE `__jobs` AS
SELECT `ai_jobs`.*, `item_id`, `fits`,
	CASE
		WHEN `kind` IN ('tag', 'tagging') THEN 'tagging'
		WHEN `kind` IN ('describe', 'description') THEN 'description'
		WHEN `kind` IN ('extract', 'extraction', 'ocr') THEN 'extraction'
		WHEN `kind` IN ('translate', 'translation') THEN 'translation'
	END AS `activity`,
	CASE
		WHEN `status` IN ('queued', 'pending', 'running') THEN 'queued'
		WHEN `status` IN ('done', 'completed') THEN 'done'
		WHEN `status` IN ('failed', 'error') THEN 'failed'
		WHEN `status` IN ('cancelled', 'canceled') THEN 'cancelled'
	END AS `new_status`,
	CASE
		-- A bare number is an epoch time: strftime would read it as a Julian day.
		WHEN `created_at` NOT GLOB '*[^0-9]*' THEN CAST(`created_at` AS INTEGER) * iif(length(`created_at`) < 12, 1000, 1)
		ELSE CAST(round((julianday(`created_at`) - 2440587.5) * 86400000) AS INTEGER)
	END AS `created_ms`
FROM `ai_jobs` LEFT JOIN `__named_items` ON `name` = `media_key`;
--> statement-breakpoint
CREATE TABLE `__sorted_jobs` AS
SELECT *,
	CASE
		WHEN `item_id` IS NULL THEN 'orphaned'
		WHEN `fits` > 1 THEN 'ambiguous'
		WHEN `activity` IS NULL THEN 'unknown_kind'
		WHEN `new_status` IS NULL THEN 'unknown_status'
		WHEN `new_status` = 'queued' AND row_number() OVER (PARTITION BY `item_id`, `activity`, `new_status` ORDER BY `id`) > 1 THEN 'duplicate'
	END AS `reject_reason`
FROM `__jobs`;
--> statement-breakpoint
INSERT INTO `migration_rejects` (`migration`, `source_table`, `reason`, `row`)
SELECT '0002_full_item_keys', 'ai_jobs', `reject_reason`,
	json_object('id', `id`, 'media_key', `media_key`, 'kind', `kind`, 'status', `status`, 'error', `error`, 'created_at', `created_at`)
FROM `__sorted_jobs` WHERE `reject_reason` IS NOT NULL;
--> statement-breakpoint
CREATE TABLE `__new_ai_jobs` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`item_id` integer NOT NULL,
	`activity` text NOT NULL,
	`status` text NOT NULL,
	`priority` integer DEFAULT 0 NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`payload` text DEFAULT '{}' NOT NULL,
	`error` text,
	`owner` text,
	`lease_until` integer,
	`created_at` integer NOT NULL,
	`started_at` integer,
	`finished_at` integer,
	FOREIGN KEY (`item_id`) REFERENCES `media_items`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "ai_jobs_activity" CHECK(activity IN ('tagging', 'description', 'extraction', 'translation')),
	CONSTRAINT "ai_jobs_status" CHECK(status IN ('queued', 'running', 'done', 'failed', 'cancelled'))
);
--> statement-breakpoint
INSERT INTO `__new_ai_jobs` (`id`, `item_id`, `activity`, `status`, `error`, `created_at`)
SELECT `id`, `item_id`, `activity`, `new_status`, `error`, coalesce(`created_ms`, CAST(unixepoch('subsec') * 1000 AS INTEGER))
FROM `__sorted_jobs` WHERE `reject_reason` IS NULL;
--> statement-breakpoint
DROP TABLE `__sorted_jobs`;
--> statement-breakpoint
DROP TABLE `__jobs`;
--> statement-breakpoint
DROP TABLE `__assignments`;
--> statement-breakpoint
DROP TABLE `__named_items`;
--> statement-breakpoint
DROP TABLE `__item_names`;
--> statement-breakpoint
DROP TABLE `ai_jobs`;
--> statement-breakpoint
DROP TABLE `tag_assignments`;
--> statement-breakpoint
DROP TABLE `tags`;
--> statement-breakpoint
DROP TABLE `tag_categories`;
--> statement-breakpoint
DROP TABLE `media_items`;
--> statement-breakpoint
DROP TABLE `libraries`;
--> statement-breakpoint
ALTER TABLE `__new_libraries` RENAME TO `libraries`;
--> statement-breakpoint
ALTER TABLE `__new_media_items` RENAME TO `media_items`;
--> statement-breakpoint
ALTER TABLE `__new_tag_categories` RENAME TO `tag_categories`;
--> statement-breakpoint
ALTER TABLE `__new_tags` RENAME TO `tags`;
--> statement-breakpoint
ALTER TABLE `__new_ai_jobs` RENAME TO `ai_jobs`;
--> statement-breakpoint
CREATE UNIQUE INDEX `media_items_item_key` ON `media_items` (`item_key`);
--> statement-breakpoint
CREATE INDEX `media_items_by_title` ON `media_items` (`library_id`,`parent_id`,`sort_title`,`id`) WHERE missing_since IS NULL;
--> statement-breakpoint
CREATE INDEX `media_items_by_added` ON `media_items` (`library_id`,`parent_id`,`added_at`,`id`) WHERE missing_since IS NULL;
--> statement-breakpoint
CREATE INDEX `media_items_by_parent` ON `media_items` (`parent_id`,`sort_number`,`sort_title`,`id`) WHERE parent_id IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `media_items_by_unit` ON `media_items` (`library_id`,`unit`);
--> statement-breakpoint
CREATE INDEX `media_items_by_identity` ON `media_items` (`library_id`,`identity`);
--> statement-breakpoint
CREATE INDEX `media_items_missing` ON `media_items` (`library_id`,`id`) WHERE missing_since IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `media_items_uninspected` ON `media_items` (`library_id`,`id`) WHERE inspected_version IS NULL AND missing_since IS NULL;
--> statement-breakpoint
CREATE INDEX `media_items_unrendered` ON `media_items` (`id`) WHERE entry IS NULL;
--> statement-breakpoint
CREATE UNIQUE INDEX `tag_categories_name_key` ON `tag_categories` (`name_key`);
--> statement-breakpoint
CREATE UNIQUE INDEX `tags_category_name_key` ON `tags` (`category_id`,`name_key`);
--> statement-breakpoint
CREATE INDEX `item_tags_item` ON `item_tags` (`item_id`,`tag_id`);
--> statement-breakpoint
CREATE UNIQUE INDEX `ai_jobs_one_open` ON `ai_jobs` (`item_id`,`activity`) WHERE status IN ('queued', 'running');
--> statement-breakpoint
CREATE INDEX `ai_jobs_next` ON `ai_jobs` (`status`,`priority`,`id`);
--> statement-breakpoint
CREATE INDEX `ai_jobs_item` ON `ai_jobs` (`item_id`);
--> statement-breakpoint
CREATE VIEW `tag_assignments` AS SELECT media_items.item_key, item_tags.tag_id, item_tags.source FROM item_tags JOIN media_items ON media_items.id = item_tags.item_id;
--> statement-breakpoint
CREATE INDEX `__media_items_path` ON `media_items` (`library_id`, `path`);
--> statement-breakpoint
-- The nearest row above an item on the path, where that row may hold it. A bare column beside min() comes from the row of the minimum.
WITH RECURSIVE `above` (`id`, `item_type`, `library_id`, `path`, `distance`) AS (
	SELECT `id`, `item_type`, `library_id`, `path`, 0 FROM `media_items` WHERE `item_type` IN ('game', 'tv_season', 'tv_episode')
	UNION ALL
	SELECT `id`, `item_type`, `library_id`, rtrim(rtrim(`path`, replace(`path`, '/', '')), '/'), `distance` + 1 FROM `above` WHERE instr(`path`, '/') > 0
),
`nearest` AS (
	SELECT `above`.`id` AS `child_id`, `holder`.`id` AS `holder_id`, min(`distance`)
	FROM `above` JOIN `media_items` `holder` ON `holder`.`library_id` = `above`.`library_id` AND `holder`.`path` = `above`.`path`
	WHERE `distance` > 0 AND (
		(`above`.`item_type` = 'game' AND `holder`.`item_type` = 'game_series') OR
		(`above`.`item_type` = 'tv_season' AND `holder`.`item_type` = 'tv_series') OR
		(`above`.`item_type` = 'tv_episode' AND `holder`.`item_type` IN ('tv_season', 'tv_series'))
	)
	GROUP BY `above`.`id`
)
UPDATE `media_items` SET `parent_id` = `holder_id` FROM `nearest` WHERE `child_id` = `media_items`.`id`;
--> statement-breakpoint
DROP INDEX `__media_items_path`;
--> statement-breakpoint
UPDATE `media_items` SET `child_count` = `children` FROM (
	SELECT `parent_id` AS `holder_id`, count(*) AS `children` FROM `media_items` WHERE `parent_id` IS NOT NULL GROUP BY `parent_id`
) WHERE `holder_id` = `media_items`.`id`;
--> statement-breakpoint
UPDATE `libraries` SET `item_count` = (
	SELECT count(*) FROM `media_items` WHERE `library_id` = `libraries`.`id` AND `parent_id` IS NULL AND `missing_since` IS NULL
);
