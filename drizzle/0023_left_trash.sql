CREATE TABLE `left_trash` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`real_path` text NOT NULL,
	`library_type` text NOT NULL,
	`item_type` text NOT NULL,
	`title` text NOT NULL,
	`unit` text NOT NULL,
	`folder` text NOT NULL,
	`holding` text NOT NULL,
	`state` text NOT NULL,
	`files` integer NOT NULL,
	`bytes` integer NOT NULL,
	`trash_until` integer,
	`created_by` text NOT NULL,
	`at` integer NOT NULL,
	CONSTRAINT "left_trash_state" CHECK(state IN ('removing', 'trashed'))
);
--> statement-breakpoint
CREATE INDEX `left_trash_root` ON `left_trash` (`real_path`);