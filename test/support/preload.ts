process.env.LOG_LEVEL ??= 'error'
