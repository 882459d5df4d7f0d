DROP INDEX `scans_one_active`;--> statement-breakpoint
ALTER TABLE `scans` ADD `paths` text;--> statement-breakpoint
ALTER TABLE `scans` ADD `walked_at` integer;--> statement-breakpoint
CREATE UNIQUE INDEX `scans_one_running` ON `scans` (`library_id`) WHERE status = 'running';--> statement-breakpoint
CREATE UNIQUE INDEX `scans_one_queued` ON `scans` (`library_id`) WHERE status = 'queued';