import { afterAll, beforeAll, expect, test } from 'bun:test'
import { closeSync, ftruncateSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import type { HttpClient } from '../support/http-client.ts'
import { runProgram } from '../support/program.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'
import { startServer, type TestServer } from '../support/test-server.ts'

/** Bundles beyond the limits of plain zip archives, whole, through the server; minutes and a dozen gigabytes of disk. */

const GIGABYTE = 1024 ** 3
const LARGE_BYTES = 5 * GIGABYTE
const MANY = 70_000
const FILES_A_FOLDER = 700
const LIMIT_MS = 15 * 60_000
const SLOW_SECONDS = 60

let folder: TemporaryFolder
let games: string
let server: TestServer
let admin: HttpClient

/** Sparse, with something at both ends. */
const makeLarge = (path: string): void => {
  const handle = openSync(path, 'w')
  ftruncateSync(handle, LARGE_BYTES)
  writeSync(handle, 'first', 0)
  writeSync(handle, 'last!', LARGE_BYTES - 5)
  closeSync(handle)
}

beforeAll(async () => {
  folder = await temporaryFolder('long-archive')
  games = join(folder.path, 'games')
  mkdirSync(join(games, 'Large/Large.app/Contents'), { recursive: true })
  makeLarge(join(games, 'Large/Large.app/Contents/data.pak'))
  writeFileSync(join(games, 'Large/Large.app/behind'), 'behind the large one')
  for (let number = 0; number < MANY; number += 1) {
    const place = join(games, `Many/Many.app/folder ${Math.floor(number / FILES_A_FOLDER)}`)
    if (number % FILES_A_FOLDER === 0) mkdirSync(place, { recursive: true })
    writeFileSync(join(place, `file ${number}`), String(number))
  }
  server = await startServer({ libraries: [{ type: 'games', path: games }] })
  await server.waitForScans()
  admin = await server.as('admin')
}, LIMIT_MS)
afterAll(async () => {
  await server.stop()
  await folder.remove()
}, LIMIT_MS)

const queryOf = (game: string): string => `/api/game-archive?${new URLSearchParams({ itemKey: `game:1:${game}` })}`

const PYTHON = `
import sys, zipfile
archive = zipfile.ZipFile(sys.argv[1])
print(len(archive.infolist()), sum(i.file_size for i in archive.infolist()), archive.testzip())`

const comesBackTheSame = async (game: string): Promise<string> => {
  const file = join(folder.path, 'archive.zip')
  const response = await admin.fetch(queryOf(game))
  const announced = Number(response.headers.get('x-estimated-length'))
  const sink = Bun.file(file).writer()
  for await (const chunk of response.body ?? []) {
    await sink.write(chunk)
    await sink.flush()
  }
  await sink.end()
  expect(Bun.file(file).size).toBe(announced)
  expect((await runProgram(['unzip', '-tq', file])).toString()).toContain('No errors detected')
  const seen = (await runProgram(['python3', '-c', PYTHON, file])).toString().trim()
  const back = join(folder.path, 'back')
  await runProgram(['unzip', '-q', '-d', back, file])
  rmSync(file)
  await runProgram(['diff', '--recursive', '--no-dereference', join(games, game), back])
  rmSync(back, { recursive: true })
  return seen
}

test(
  'unzip, Python and diff agree on a bundle with a file of five gigabytes',
  async () => {
    expect(await comesBackTheSame('Large')).toBe(`4 ${LARGE_BYTES + 20} None`)
  },
  LIMIT_MS,
)

test(
  'unzip, Python and diff agree on a bundle of seventy thousand files',
  async () => {
    const bytes = Array.from({ length: MANY }, (_, number) => String(number).length).reduce((sum, length) => sum + length)
    expect(await comesBackTheSame('Many')).toBe(`${MANY + MANY / FILES_A_FOLDER + 1} ${bytes} None`)
  },
  LIMIT_MS,
)

test(
  'four readers of 100 kB a second take less than 60 MB for as long as they read',
  async () => {
    const resident = (): number => Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1]) / 1024
    const before = resident()
    const { hostname, port } = new URL(server.url)
    const sockets = Array.from({ length: 4 }, () => {
      const socket = connect({ port: Number(port), host: hostname })
      socket.write(`GET ${queryOf('Large')} HTTP/1.1\r\nHost: x\r\nCookie: ${admin.cookies()}\r\n\r\n`)
      socket.on('data', (chunk) => {
        socket.pause()
        setTimeout(() => socket.resume(), chunk.length / 100)
      })
      return socket
    })
    let highest = before
    for (let second = 0; second < SLOW_SECONDS; second += 1) {
      await Bun.sleep(1000)
      highest = Math.max(highest, resident())
    }
    for (const socket of sockets) {
      expect(socket.bytesRead).toBeGreaterThan(SLOW_SECONDS * 50_000)
      socket.destroy()
    }
    expect(highest - before).toBeLessThan(60)
  },
  LIMIT_MS,
)
