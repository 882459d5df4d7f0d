-- The same values as before, compared one after the other: for `IN` SQLite looks each new row up in a table that it makes of the list.
-- No row is any other by that, so the rule is exchanged where it stands (lang_altertable.html, 7, of SQLite, names this way for
-- constraints) rather than a million rows written again. A libSQL server does not take these; its rule stays as it is, and says the same.
PRAGMA writable_schema = ON;
--> statement-breakpoint
UPDATE `sqlite_schema` SET `sql` = replace(`sql`,
	'CHECK(item_type IN (''game'', ''game_series'', ''movie'', ''tv_series'', ''tv_season'', ''tv_episode'', ''manga_series'', ''manga_volume'', ''mixed_file''))',
	'CHECK(item_type = ''mixed_file'' OR item_type = ''manga_volume'' OR item_type = ''manga_series'' OR item_type = ''tv_episode'' OR item_type = ''tv_season'' OR item_type = ''tv_series'' OR item_type = ''movie'' OR item_type = ''game_series'' OR item_type = ''game'')')
WHERE `type` = 'table' AND `name` = 'media_items';
--> statement-breakpoint
PRAGMA writable_schema = RESET;
