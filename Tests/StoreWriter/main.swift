import Bytes
import Store
