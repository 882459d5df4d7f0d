/**
 * Modules of Node's that no start needs, loaded when somebody does: with all that `net` brings along it would be a seventh of the
 * time to the first answer.
 */

export const net = () => process.getBuiltinModule('node:net')
export const dns = () => process.getBuiltinModule('node:dns/promises')
