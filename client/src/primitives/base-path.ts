/** The server tells by `<base>` under which path it stands: "" or "/shelf". */
export const basePath = new URL(document.baseURI).pathname.replace(/\/+$/, '')
