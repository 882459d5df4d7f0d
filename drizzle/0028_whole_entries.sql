-- A kept entry is a whole one from now on, which says that nothing has been begun: most pages are read as they are kept.
UPDATE `media_items` SET `entry` = `entry` || ',"progress":null}' WHERE `entry` IS NOT NULL;
