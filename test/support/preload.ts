/** Runs before every test file: what the code under test logs in this process stays out of the report. */
process.env.LOG_LEVEL ??= 'error'
