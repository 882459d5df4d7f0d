-- The oldest schema. IF NOT EXISTS: a database of that time has no table of migrations, and passes through unchanged.
CREATE TABLE IF NOT EXISTS `libraries` (
	`id` INTEGER PRIMARY KEY,
	`name` TEXT NOT NULL,
	`type` TEXT NOT NULL CHECK (`type` IN ('games','movies','tv')),
	`path` TEXT NOT NULL
);
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS `media_items` (
	`media_key` TEXT PRIMARY KEY,
	`library_id` INTEGER NOT NULL REFERENCES `libraries`(`id`),
	`item_type` TEXT NOT NULL CHECK (`item_type` IN ('game','game_series','movie','tv_series','tv_season','tv_episode')),
	`title` TEXT NOT NULL,
	`path` TEXT NOT NULL,
	`data` TEXT
);
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS `tag_categories` (
	`id` INTEGER PRIMARY KEY,
	`name` TEXT NOT NULL
);
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS `tags` (
	`id` INTEGER PRIMARY KEY,
	`category_id` INTEGER NOT NULL REFERENCES `tag_categories`(`id`) ON DELETE CASCADE,
	`name` TEXT NOT NULL
);
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS `tag_assignments` (
	`media_key` TEXT NOT NULL,
	`tag_id` INTEGER NOT NULL REFERENCES `tags`(`id`) ON DELETE CASCADE,
	PRIMARY KEY (`media_key`, `tag_id`)
);
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS `ai_jobs` (
	`id` INTEGER PRIMARY KEY,
	`media_key` TEXT NOT NULL,
	`kind` TEXT NOT NULL,
	`status` TEXT NOT NULL,
	`error` TEXT,
	`created_at` TEXT NOT NULL
);
