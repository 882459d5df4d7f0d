/** What a function of Node's gives to its callback. `promisify` would load a module that no start needs otherwise. */
export const promised = <Value>(begin: (done: (error: Error | null, value: Value) => void) => void): Promise<Value> =>
  new Promise((resolve, reject) => begin((error, value) => (error ? reject(error) : resolve(value))))
