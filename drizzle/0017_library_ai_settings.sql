CREATE TABLE `library_ai_settings` (
	`library_id` integer PRIMARY KEY NOT NULL,
	`overrides` text NOT NULL,
	FOREIGN KEY (`library_id`) REFERENCES `libraries`(`id`) ON UPDATE no action ON DELETE cascade
);
