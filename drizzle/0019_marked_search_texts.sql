-- Texts are indexed anew, with what finds one or two characters of a script that has thousands (src/domain/dense-script.ts):
-- the threes that begin with them were too many to be asked for, and beyond two thousand of them were left out.
DROP TABLE `search_titles_terms`;
--> statement-breakpoint
DROP TABLE `search_texts_terms`;
--> statement-breakpoint
DROP TABLE `search_titles`;
--> statement-breakpoint
DROP TABLE `search_texts`;
--> statement-breakpoint
CREATE VIRTUAL TABLE `search_titles` USING fts5(title, content='', contentless_delete=1, tokenize='trigram case_sensitive 1');
--> statement-breakpoint
CREATE VIRTUAL TABLE `search_texts` USING fts5(title, text, content='', contentless_delete=1, tokenize='trigram case_sensitive 1');
--> statement-breakpoint
CREATE VIRTUAL TABLE `search_titles_terms` USING fts5vocab('search_titles', 'instance');
--> statement-breakpoint
CREATE VIRTUAL TABLE `search_texts_terms` USING fts5vocab('search_texts', 'instance');
--> statement-breakpoint
DELETE FROM `search_stale`;
--> statement-breakpoint
UPDATE `search_state` SET `indexed_up_to` = 0;
