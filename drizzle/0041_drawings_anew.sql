-- Drawings that are sized in millimetres or points were taken for too large ones.
UPDATE `media_items` SET `inspected_version` = NULL, `inspect_error` = NULL, `entry` = NULL WHERE `inspect_error` = 'too_large' AND lower(`main_file`) LIKE '%.svg';
