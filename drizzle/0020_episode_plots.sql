-- An entry of an episode says its plot from now on: those that were kept without it are made anew when they are next read.
-- A plot changes with its title alone (the refresh of metadata writes both), which clears the entry already.
UPDATE `media_items` SET `entry` = NULL WHERE `item_type` = 'tv_episode' AND `plot` IS NOT NULL AND `entry` IS NOT NULL;
