DROP INDEX `ai_jobs_next`;--> statement-breakpoint
DROP INDEX `ai_jobs_suspect`;--> statement-breakpoint
CREATE INDEX `ai_jobs_next` ON `ai_jobs` (`status`,"priority" DESC,`id`);--> statement-breakpoint
CREATE INDEX `ai_jobs_suspect` ON `ai_jobs` ("priority" DESC,`id`) WHERE crashes > 0 AND status IN ('queued', 'running');