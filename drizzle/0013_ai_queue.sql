CREATE TABLE `ai_runs` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`library_id` integer NOT NULL,
	`activity` text NOT NULL,
	`trigger` text NOT NULL,
	`created_by` integer,
	`created_at` integer NOT NULL,
	`undone_at` integer,
	FOREIGN KEY (`library_id`) REFERENCES `libraries`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`created_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null,
	CONSTRAINT "ai_runs_activity" CHECK(activity IN ('tagging', 'description', 'extraction', 'translation')),
	CONSTRAINT "ai_runs_trigger" CHECK("trigger" IN ('batch', 'scan'))
);
--> statement-breakpoint
CREATE TABLE `ai_job_pages` (
	`job_id` integer NOT NULL,
	`page` integer NOT NULL,
	`text` text NOT NULL,
	`source` text NOT NULL,
	`confidence` real,
	`rejected` text,
	PRIMARY KEY(`job_id`, `page`),
	FOREIGN KEY (`job_id`) REFERENCES `ai_jobs`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "ai_job_pages_source" CHECK(source IN ('ocr', 'model', 'fallback'))
);
--> statement-breakpoint
ALTER TABLE `libraries` ADD `ai_on_scan_since` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `ai_jobs` ADD `run_id` integer REFERENCES ai_runs(id) ON DELETE set null;--> statement-breakpoint
ALTER TABLE `ai_jobs` ADD `not_before` integer;--> statement-breakpoint
ALTER TABLE `ai_jobs` ADD `crashes` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `ai_jobs` ADD `text_version` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `ai_jobs` ADD `suggestions` text;--> statement-breakpoint
ALTER TABLE `ai_jobs` ADD `effect` text;--> statement-breakpoint
ALTER TABLE `ai_jobs` ADD `undone_at` integer;--> statement-breakpoint
DROP INDEX `ai_jobs_next`;--> statement-breakpoint
CREATE INDEX `ai_jobs_next` ON `ai_jobs` (`status`,"priority" DESC,`id`);--> statement-breakpoint
CREATE INDEX `ai_jobs_run` ON `ai_jobs` (`run_id`,`status`) WHERE run_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `ai_jobs_suspect` ON `ai_jobs` ("priority" DESC,`id`) WHERE crashes > 0 AND status IN ('queued', 'running');
