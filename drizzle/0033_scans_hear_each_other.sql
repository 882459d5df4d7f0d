CREATE TABLE `scan_left_out` (
	`scan_id` integer NOT NULL,
	`folder` text NOT NULL,
	PRIMARY KEY(`scan_id`, `folder`),
	FOREIGN KEY (`scan_id`) REFERENCES `scans`(`id`) ON UPDATE no action ON DELETE cascade
);
