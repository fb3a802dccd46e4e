# browse-live.py COMMAND...: runs a tuner with --live, opens the address that it
# prints, and says what the page shows while the search runs and at its end.
# Trials wait for the files `loaded` and `followed`: a slow browser misses none.

import pathlib
import re
import subprocess
import sys
import time

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service

options = Options()
for argument in ["--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1280,900"]:
    options.add_argument(argument)
options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
browser = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)

tuner = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
url = re.search(r"http://127\.0\.0\.1:\d+/[0-9a-f]{32}/", tuner.stderr.readline()).group(0)
browser.get(url)


def wait(what, condition):
    """Waits until a condition holds, at most a minute."""
    for _ in range(600):
        if condition():
            print(what)
            return
        time.sleep(0.1)
    print("not:", what)


def text(selector):
    # The page may be loaded anew meanwhile: what is found is asked at once.
    return browser.execute_script(
        "const node = document.querySelector(arguments[0]); return node ? node.textContent : ''", selector)


def count(selector):
    return browser.execute_script("return document.querySelectorAll(arguments[0]).length", selector)


def is_shown(selector):
    return browser.execute_script(
        "const node = document.querySelector(arguments[0]); return !!node && !!node.offsetParent", selector)


wait("the page says that the search is running", lambda: text("#live") == "The search is running.")
first = count("#trials-table tbody tr")
pathlib.Path("loaded").touch()
wait("trials are added", lambda: count("#trials-table tbody tr") > first)
wait("importance isn't known yet", lambda: not is_shown("#importance-plot"))
pathlib.Path("followed").touch()
# The rest of what the tuner prints must not fill the pipe.
tuner.stderr.read()
wait("the page says that the search has ended", lambda: text("#live") == "The search has ended.")
wait("importance is known", lambda: is_shown("#importance-plot"))
print("exit code", tuner.wait())
for entry in browser.get_log("browser"):
    # The server is gone.
    if "ERR_CONNECTION_REFUSED" not in entry["message"]:
        print("console:", entry["message"])
browser.quit()
