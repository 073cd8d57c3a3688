# SPDX-License-Identifier: Apache-2.0
"""Entries for the search index of `baton agent`, whose words are as frequent as in real texts, and queries for them."""
import itertools
import json
import random
import socket

SYLLABLES = [consonant + vowel for consonant in "bdklmnr" for vowel in "aeiou"]


class Connection:
    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(str(path))
        self.buffer = b""

    def call(self, method, **parameters):
        message = {"method": f"io.baton.Search.{method}", "parameters": parameters}
        self.socket.sendall(json.dumps(message).encode() + b"\0")
        while b"\0" not in self.buffer:
            self.buffer += self.socket.recv(1 << 20)
        message, self.buffer = self.buffer.split(b"\0", 1)
        reply = json.loads(message)
        assert "error" not in reply, reply
        return reply.get("parameters", {})


def words(random):
    """20,000 words whose frequencies follow Zipf's law."""
    made = set()
    while len(made) < 20_000:
        made.add("".join(random.choices(SYLLABLES, k=random.randint(2, 5))))
    made = sorted(made)
    random.shuffle(made)
    return made, [1 / (rank + 1) for rank in range(len(made))]


def texts(count):
    """So many texts, which are the same each time. The first of many are those of few."""
    generator = random.Random(1)
    vocabulary, weights = words(generator)
    sums = list(itertools.accumulate(weights))
    for number in range(count):
        part = generator.choices(vocabulary, cum_weights=sums, k=26)
        yield number, " ".join(part[:5]), part[5:7], " ".join(part[7:])


def entry(number, title, keywords, text):
    return {
        "identifier": str(number), "title": title, "keywords": keywords, "contentDescription": text,
        "isEligibleForSearch": True, "isEligibleForPrediction": number % 10 == 0,
        "activity": {
            "id": f"5b1f0c52-8a3e-4b6e-9e0d-{number:012d}", "activityType": "org.example.reading", "title": title,
            "userInfo": {"page": number},
        },
    }


def queries(connection, vocabulary, seed, count):
    """Each kind of query, and its calls."""
    generator = random.Random(seed)

    def find(words):
        return lambda: connection.call("Search", words=words)

    common, rare = vocabulary[:50], vocabulary[2000:]
    return {
        "a rare word": [find(generator.choice(rare)) for _ in range(count)],
        "a common word": [find(generator.choice(common)) for _ in range(count)],
        "one letter": [find(generator.choice("bdklmnr")) for _ in range(count)],
        "as typed": [find(generator.choice(vocabulary)[:length]) for _ in range(count // 4) for length in (1, 2, 3, 4)],
        "two common words": [find(" ".join(generator.sample(common, 2))) for _ in range(count)],
        "common and rare": [find(f"{generator.choice(common)} {generator.choice(rare)}") for _ in range(count)],
        "nothing": [find("zzz" + generator.choice(rare)) for _ in range(count)],
        "suggestions": [lambda: connection.call("Suggest") for _ in range(count)],
    }
