/**
 * The languages below HTTP's meaning, as both sides of agrepl speak them: bytes to frames and back.
 *
 * Takes bytes as they were read, from the door or from an upstream; gives frames, and bytes to be written. Never reads a
 * socket, never waits, never holds more than its limits. Invariant: what is written, read again in any cutting, is what
 * was meant.
 *
 * @module
 */
